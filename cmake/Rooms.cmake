# A room is a folder of sources, and all of its sources belong to one library. Where the preset asks for
# unity builds, each folder is compiled as one unit: names in anonymous namespaces must differ within a
# folder, and the order of files and rooms means nothing. Preset `plain` compiles every file by itself.
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
  endforeach()
endfunction()
