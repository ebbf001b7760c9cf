# fmt and nlohmann-json, of which the scene library uses the headers: as they are installed; from PyPI's packages
# of them, for the Python package; or from folders that a build for a browser brings along.
set(STICKSLIP_HEADERS "" CACHE STRING "Folders with fmt/ and nlohmann/ (empty: as installed)")

set(header_folders ${STICKSLIP_HEADERS})
if(STICKSLIP_BUILD_PYTHON AND NOT header_folders)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  # Packages of cmeel keep theirs in a folder of their own.
  execute_process(COMMAND ${Python_EXECUTABLE} -c
"import pathlib, sys
folders = [pathlib.Path(p) for p in sys.path]
for header, places in (('fmt/format.h', ('cmeel.prefix/include',)), ('nlohmann/json.hpp', ('nlohmann_json/include',))):
    found = [f / place for f in folders for place in places if (f / place / header).is_file()]
    if not found: sys.exit('no ' + header + ' among the packages of this Python')
    print(found[0].as_posix(), end=';')"
    OUTPUT_VARIABLE header_folders COMMAND_ERROR_IS_FATAL ANY)
endif()

if(header_folders)
  if(STICKSLIP_BUILD_IO)
    message(FATAL_ERROR "STICKSLIP_HEADERS is for builds without io: set STICKSLIP_BUILD_IO to OFF")
  endif()
  foreach(library IN ITEMS fmt::fmt-header-only nlohmann_json::nlohmann_json)
    add_library(${library} INTERFACE IMPORTED)
    target_include_directories(${library} INTERFACE ${header_folders})
  endforeach()
  target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
else()
  find_package(fmt REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()
