# Installation, and the package that other projects find: find_package(stickslip) for the engine,
# COMPONENTS scene for scenes, which needs nothing else, COMPONENTS io for recordings and problem files
# as well, which needs HDF5.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)

set_target_properties(stickslip_scene PROPERTIES EXPORT_NAME scene)
install(TARGETS stickslip EXPORT stickslipTargets)
install(TARGETS stickslip_scene EXPORT stickslipSceneTargets)
set(export_sets stickslipTargets stickslipSceneTargets)
if(STICKSLIP_BUILD_IO)
  set_target_properties(stickslip_io PROPERTIES EXPORT_NAME io)
  install(TARGETS stickslip_io EXPORT stickslipIoTargets)
  install(TARGETS stickslip_cli)
  list(APPEND export_sets stickslipIoTargets)
endif()
install(DIRECTORY include/stickslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes schema DESTINATION ${CMAKE_INSTALL_DATADIR}/stickslip)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(set IN LISTS export_sets)
  install(EXPORT ${set} NAMESPACE stickslip:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(cmake/stickslipConfig.cmake.in stickslipConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(stickslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stickslipConfig.cmake
              ${PROJECT_BINARY_DIR}/stickslipConfigVersion.cmake
        DESTINATION ${package_dir})
