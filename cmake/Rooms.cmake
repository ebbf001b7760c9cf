# A room is a folder of sources, and all of its sources belong to one library. Where the preset asks for
# unity builds, each folder is compiled as one unit: names in anonymous namespaces must differ within a
# folder, and the order of files and rooms means nothing. Preset `plain` compiles every file by itself.
#
# Sources *_kernels.inl are compiled once for each instruction set, in a namespace of its name
# (src/simd/README.md). Each is an object of its own: none of its code may get into others.
set(STICKSLIP_INSTRUCTION_SETS baseline)
set(STICKSLIP_BYTES_baseline 16)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND STICKSLIP_INSTRUCTION_SETS avx2)
  set(STICKSLIP_BYTES_avx2 32)
  set(STICKSLIP_FLAGS_avx2 -mavx2)
endif()

function(stickslip_add_kernels target source)
  get_filename_component(name ${source} NAME_WE)
  foreach(set IN LISTS STICKSLIP_INSTRUCTION_SETS)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/kernels/${name}_${set}.cpp)
    file(CONFIGURE OUTPUT ${object} CONTENT
"#define STICKSLIP_INSTRUCTION_SET ${set}
#define STICKSLIP_VECTOR_BYTES ${STICKSLIP_BYTES_${set}}
#include \"${source}\"
")
    target_sources(${target} PRIVATE ${object})
    set_source_files_properties(${object} PROPERTIES COMPILE_OPTIONS "${STICKSLIP_FLAGS_${set}}"
      SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

function(stickslip_add_rooms target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(room IN LISTS ARGN)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
    target_sources(${target} PRIVATE ${sources})
    foreach(source IN LISTS sources)
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
      string(REPLACE "/" "_" unit ${folder})
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    endforeach()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${room}/*_kernels.inl)
    foreach(source IN LISTS sources)
      stickslip_add_kernels(${target} ${source})
    endforeach()
  endforeach()
endfunction()
