#!/usr/bin/env python3
"""Draws the woodpecker's motion as SVG: angles over time and the limit cycle in phase space.

Usage: draw_woodpecker.py RECORDING.csv PICTURE.svg
The CSV is what `stickslip export DIR --csv FILE` writes for scenes/woodpecker.json.
"""
import csv
import math
import sys

BIRD, SLEEVE, GRID, TEXT = "#1f6f8b", "#d1495b", "#dfe3e6", "#37424a"
SHOWN_SECONDS = 0.6
MOST_POINTS = 1500


class Panel:
    """One pair of axes; maps data to the page."""

    def __init__(self, box, x_range, y_range, title, x_label, y_label):
        self.left, self.top, self.width, self.height = box
        self.x_range, self.y_range = x_range, y_range
        self.parts = [f'<rect x="{self.left}" y="{self.top}" width="{self.width}" '
                      f'height="{self.height}" fill="#ffffff" stroke="{GRID}"/>']
        self.write(self.left, self.top - 12, title, "start", weight="600")
        self.write(self.left + self.width, self.top + self.height + 34, x_label, "end")
        self.write(self.left - 8, self.top - 12, y_label, "end")
        for x in ticks(*x_range):
            self.line((x, y_range[0]), (x, y_range[1]))
            self.write(self.x(x), self.top + self.height + 16, label(x), "middle")
        for y in ticks(*y_range):
            self.line((x_range[0], y), (x_range[1], y))
            self.write(self.left - 8, self.y(y) + 4, label(y), "end")

    def x(self, value):
        low, high = self.x_range
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value):
        low, high = self.y_range
        return self.top + self.height * (high - value) / (high - low)

    def write(self, x, y, text, anchor, weight="400"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{TEXT}" '
                          f'font-weight="{weight}">{text}</text>')

    def line(self, start, end):
        self.parts.append(f'<line x1="{self.x(start[0]):.1f}" y1="{self.y(start[1]):.1f}" '
                          f'x2="{self.x(end[0]):.1f}" y2="{self.y(end[1]):.1f}" stroke="{GRID}"/>')

    def curve(self, points, colour):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                          'stroke-width="1.6" stroke-linejoin="round"/>')

    def legend(self, entries):
        for k, (name, colour) in enumerate(entries):
            x, y = self.left + self.width - 230 + 120 * k, self.top - 12
            self.parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 18}" y2="{y - 4}" '
                              f'stroke="{colour}" stroke-width="3"/>')
            self.write(x + 24, y, name, "start")


def ticks(low, high):
    """Round numbers between low and high, about five of them."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def label(value):
    return f"{value:.6g}"


def spread(values, margin=0.08):
    low, high = min(values), max(values)
    return low - margin * (high - low), high + margin * (high - low)


def read(path):
    with open(path) as stream:
        rows = list(csv.DictReader(stream))
    columns = {name: [float(row[name]) for row in rows] for name in rows[0]}
    first = next(i for i, t in enumerate(columns["t"]) if t >= columns["t"][-1] - SHOWN_SECONDS)
    return {name: values[first:] for name, values in columns.items()}


def thin(points):
    return points[::max(1, len(points) // MOST_POINTS)]


def draw(data):
    time = data["t"]
    angles = Panel((70, 50, 800, 190), (time[0], time[-1]),
                   spread(data["q.phi_S"] + data["q.phi_M"]),
                   "Woodpecker toy: angles of bird and sleeve", "t [s]", "rad")
    bird = Panel((70, 310, 370, 230), spread(data["q.phi_S"]), spread(data["u.phi_S"]),
                 "Limit cycle of the bird", "&#966;_S [rad]", "rad/s")
    sleeve = Panel((520, 310, 350, 230), spread(data["q.phi_M"]), spread(data["u.phi_M"]),
                   "Limit cycle of the sleeve", "&#966;_M [rad]", "rad/s")
    angles.curve(thin(list(zip(time, data["q.phi_S"]))), BIRD)
    angles.curve(thin(list(zip(time, data["q.phi_M"]))), SLEEVE)
    angles.legend([("bird &#966;_S", BIRD), ("sleeve &#966;_M", SLEEVE)])
    bird.curve(thin(list(zip(data["q.phi_S"], data["u.phi_S"]))), BIRD)
    sleeve.curve(thin(list(zip(data["q.phi_M"], data["u.phi_M"]))), SLEEVE)
    body = "\n".join(part for panel in (angles, bird, sleeve) for part in panel.parts)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 590" width="900" height="590" '
            'font-family="Helvetica, Arial, sans-serif" font-size="12">\n'
            f'<rect width="900" height="590" fill="#f7f9fa"/>\n{body}\n</svg>\n')


if __name__ == "__main__":
    with open(sys.argv[2], "w") as picture:
        picture.write(draw(read(sys.argv[1])))
