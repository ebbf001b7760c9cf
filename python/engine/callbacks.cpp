#include "callbacks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace stickslip::python {

PythonPart::~PythonPart() {
  if (held_.empty()) return;
  // While the interpreter ends, only the thread that ends it gets here, with the lock.
  if (Py_IsInitialized() == 0) {
    held_.clear();
    return;
  }
  const WithLock lock;
  held_.clear();
}

int PythonPart::traverse(visitproc visit, void* argument) const {
  for (const nb::object& object : held_)
    if (object.is_valid())
      if (const int result = visit(object.ptr(), argument); result != 0) return result;
  return 0;
}

void PythonPart::forget() {
  const std::vector<nb::object> gone = std::move(held_);
  held_.clear();
}

std::size_t PythonPart::hold(nb::object object) {
  held_.push_back(std::move(object));
  return held_.size() - 1;
}

nb::object& PythonPart::held(std::size_t i) const {
  if (i >= held_.size())
    throw std::runtime_error("this simulation is being taken apart: it cannot be stepped any more");
  return held_[i];
}

Shape::Shape(std::initializer_list<std::size_t> lengths) : count_(lengths.size()) {
  std::copy(lengths.begin(), lengths.end(), lengths_.begin());
}

namespace {

// A view of an object's memory, if it has one.
class Memory {
 public:
  explicit Memory(nb::handle object) {
    constexpr int kWanted = PyBUF_STRIDES | PyBUF_FORMAT;
    has_it_ = PyObject_CheckBuffer(object.ptr()) != 0 &&
              PyObject_GetBuffer(object.ptr(), &view_, kWanted) == 0;
    if (!has_it_) PyErr_Clear();
  }
  ~Memory() {
    if (has_it_) PyBuffer_Release(&view_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  bool isOfDoubles() const {
    return has_it_ && view_.format != nullptr && std::strcmp(view_.format, "d") == 0;
  }
  std::span<const Py_ssize_t> shape() const {
    return {view_.shape, static_cast<std::size_t>(view_.ndim)};
  }
  void copy(std::span<double> to) const { copyAxis(0, static_cast<const char*>(view_.buf), to); }

 private:
  void copyAxis(std::size_t axis, const char* from, std::span<double> to) const {
    if (axis == shape().size()) {
      std::memcpy(to.data(), from, sizeof(double));
      return;
    }
    const auto count = static_cast<std::size_t>(shape()[axis]);
    const std::size_t part = count > 0 ? to.size() / count : 0;
    for (std::size_t i = 0; i < count; ++i)
      copyAxis(axis + 1, from + static_cast<Py_ssize_t>(i) * view_.strides[axis],
               to.subspan(i * part, part));
  }

  Py_buffer view_{};
  bool has_it_ = false;
};

std::string textOf(std::span<const std::size_t> shape) {
  if (shape.empty()) return "a number";
  std::string text = "(";
  for (const std::size_t count : shape) text += std::to_string(count) + ", ";
  text.resize(text.size() - (shape.size() == 1 ? 1 : 2));
  return text + ")";
}

std::string expectation(const Shape& shape, const CallName& name) {
  const std::string wanted = textOf(shape.axes());
  return name.text() + ": expected " +
         (shape.axes().empty() ? wanted : "an array of shape " + wanted);
}

// What is no array of doubles, as one.
nb::object asDoubles(nb::handle from, const Shape& shape, const CallName& name) {
  const auto refuse = [&] {
    throw InputError(expectation(shape, name) + ", got " + className(from));
  };
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("asarray")(from);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    refuse();
  }
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  if (kind != "f" && kind != "i" && kind != "u" && kind != "b") {
    if (kind == "O" || from.is_none()) refuse();
    throw InputError(expectation(shape, name) + " of real numbers");
  }
  return numpy.attr("asarray")(array, numpy.attr("float64"));
}

}  // namespace

void takeNumbers(nb::handle from, const Shape& shape, std::span<double> to, const CallName& name,
                 bool any_number) {
  const Memory memory(from);
  if (!memory.isOfDoubles()) {
    if (shape.axes().empty() && PyFloat_CheckExact(from.ptr())) {
      to[0] = PyFloat_AS_DOUBLE(from.ptr());
    } else {
      const nb::object array = asDoubles(from, shape, name);
      const Memory converted(array);
      if (!converted.isOfDoubles())
        throw InputError(expectation(shape, name) + ", got " + className(from));
      return takeNumbers(array, shape, to, name, any_number);
    }
  } else {
    const std::span<const Py_ssize_t> is = memory.shape();
    bool fits = is.size() == shape.axes().size();
    for (std::size_t k = 0; k < is.size() && fits; ++k)
      fits = static_cast<std::size_t>(is[k]) == shape.axes()[k];
    if (!fits) {
      const std::vector<std::size_t> got(is.begin(), is.end());
      throw InputError(expectation(shape, name) + ", got " +
                       (got.empty() ? "a number" : "one of shape " + textOf(got)));
    }
    memory.copy(to);
  }
  if (any_number) return;
  for (const double number : to)
    if (!std::isfinite(number))
      throw InputError(name.text() + ": expected finite numbers, got " +
                       (std::isnan(number) ? "nan" : "inf"));
}

nb::object constantArray(std::span<const double> numbers) {
  // Bytes never change, and NumPy knows that. The function is kept for good; Python's lock keeps
  // threads apart here.
  static PyObject* from_buffer = nullptr;
  if (from_buffer == nullptr)
    from_buffer = nb::object(nb::module_::import_("numpy").attr("frombuffer")).release().ptr();
  const auto size = static_cast<Py_ssize_t>(numbers.size_bytes());
  const nb::object bytes =
      nb::steal(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(numbers.data()), size));
  if (!bytes.is_valid()) throw nb::python_error();
  return call(from_buffer, {bytes});
}

nb::object call(nb::handle function, std::initializer_list<nb::handle> arguments) {
  PyObject* list[8];
  std::size_t count = 0;
  for (const nb::handle& argument : arguments) list[count++] = argument.ptr();
  PyObject* const result = called(function.ptr(), list, count);
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

std::string savedBy(const nb::object& object, const std::string& name) {
  const nb::object saved = call(nb::object(object.attr("save")), {});
  if (PyBytes_Check(saved.ptr()) == 0)
    throw InputError(name + ".save: expected bytes, got " + className(saved));
  return {PyBytes_AS_STRING(saved.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(saved.ptr()))};
}

void restoreTo(const nb::object& object, const std::string& saved) {
  call(nb::object(object.attr("restore")), {nb::bytes(saved.data(), saved.size())});
}

std::string className(nb::handle object) {
  return nb::cast<std::string>(
      nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

}  // namespace stickslip::python
