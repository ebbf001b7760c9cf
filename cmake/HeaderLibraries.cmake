# fmt and nlohmann-json, of which the scene library uses the headers: as they are installed, or from a
# folder that a source package for pip or a browser brings along.
set(STICKSLIP_HEADERS "" CACHE PATH "Folder with fmt/ and nlohmann/ (empty: as installed)")

if(STICKSLIP_HEADERS)
  if(STICKSLIP_BUILD_IO)
    message(FATAL_ERROR "STICKSLIP_HEADERS is for builds without io: set STICKSLIP_BUILD_IO to OFF")
  endif()
  foreach(library IN ITEMS fmt::fmt-header-only nlohmann_json::nlohmann_json)
    add_library(${library} INTERFACE IMPORTED)
    target_include_directories(${library} INTERFACE ${STICKSLIP_HEADERS})
  endforeach()
  target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
else()
  find_package(fmt REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()
