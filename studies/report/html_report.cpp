#include "report/html_report.hpp"

#include <fmt/format.h>

#include "io/files/output_file.hpp"
#include "report/svg.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#1c2430;background:#fff;max-width:46rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.25rem;margin:2.5rem 0 .3rem;border-top:1px solid #d5dbe2;padding-top:1.2rem}
figure{margin:1.2rem 0}figure>svg{max-width:38rem}figcaption{font-size:.88rem;color:#45505e}
svg{width:100%;height:auto;display:block}svg svg{width:auto}
svg text{font:12px system-ui,sans-serif;fill:#3a4553}.mid{text-anchor:middle}.end{text-anchor:end}
.grid{stroke:#e3e7ec;fill:none}.frame{fill:none;stroke:#8a95a3}.body{stroke:#3a4553;stroke-width:.6}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;border-bottom:1px solid #e3e7ec;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
code{background:#f1f4f7;padding:.1rem .3rem;border-radius:3px;font-size:.85rem;overflow-wrap:anywhere}
.verdict{font-size:.8rem;font-weight:600;padding:.1rem .5rem;border-radius:1rem;vertical-align:middle;background:#e3e7ec}
.agrees{background:#d7f0df;color:#14532d}.differs{background:#f9d9dc;color:#7a1320}.open{background:#fbeecb;color:#6b4c00}.refutes{background:#dbe6fb;color:#1b3a7a}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;font-size:.88rem}dt{color:#45505e}dd{margin:0;overflow-wrap:anywhere}
nav ul{columns:2;padding-left:1.2rem;font-size:.9rem}
)";

std::string row(const std::vector<std::string>& cells, std::string_view tag) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return out + "</tr>\n";
}

std::string inFigure(const std::string& what, const std::string& caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", what,
                     escaped(caption));
}

struct HtmlOf {
  std::string operator()(const Table& table) const {
    std::string rows = row(table.columns, "th");
    for (const auto& cells : table.rows) rows += row(cells, "td");
    return inFigure("<div class=\"scroll\"><table>\n" + rows + "</table></div>\n", table.caption);
  }
  std::string operator()(const Plot& plot) const { return inFigure(drawPlot(plot), plot.caption); }
  std::string operator()(const CellMap& map) const { return inFigure(drawCells(map), map.caption); }
  std::string operator()(const Picture& picture) const {
    return inFigure(drawPicture(picture), picture.caption);
  }
};

std::string verdictBadge(const std::string& verdict) {
  return verdict.empty() ? ""
                         : fmt::format(" <span class=\"verdict {0}\">{0}</span>", escaped(verdict));
}

std::string sectionOf(const ReportSection& section) {
  std::string out =
      fmt::format("<section id=\"{}\">\n<h2>{}{}</h2>\n<p>{}</p>\n", section.anchor,
                  escaped(section.title), verdictBadge(section.verdict), escaped(section.text));
  out += section.figures + "<dl>\n";
  for (const auto& [name, value] : section.facts)
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
  return out + fmt::format(
                   "<dt>wall time</dt><dd>{:.2f} s</dd>\n"
                   "<dt>command</dt><dd><code>{}</code></dd>\n</dl>\n</section>\n",
                   section.seconds, escaped(section.command));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string htmlOf(std::span<const Block> blocks) {
  std::string out;
  for (const Block& block : blocks) out += std::visit(HtmlOf{}, block);
  return out;
}

std::string htmlPage(const std::string& title, const std::string& introduction,
                     std::span<const ReportSection> sections) {
  std::string contents, body;
  for (const ReportSection& section : sections) {
    contents += fmt::format("<li><a href=\"#{}\">{}</a>{}</li>\n", section.anchor,
                            escaped(section.title), verdictBadge(section.verdict));
    body += sectionOf(section);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{5}"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{2}</p>\n"
      "<nav><ul>\n{3}</ul></nav>\n{4}</body>\n</html>\n",
      escaped(title), kStyle, escaped(introduction), contents, body, kReportMark);
}

}  // namespace stickslip
