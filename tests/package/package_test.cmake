# Installs the build into an empty folder, builds the clients against it, and runs them. Those of
# engine and scenes are built where HDF5, fmt and nlohmann-json cannot be found, and nothing of them
# may be in what is linked.
# Arguments: BUILD_DIR, SOURCE_DIR, WORK_DIR
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}\n${output}")
  endif()
  message(STATUS "${output}")
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(build_client folder)
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR}/tests/package/client -B ${WORK_DIR}/${folder}
      -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_BUILD_TYPE=Release
      "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${folder})
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
set(scene ${WORK_DIR}/prefix/share/stickslip/scenes/bouncing-ball.json)

build_client(scene -DWITH_IO=OFF -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
             -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)
run(${WORK_DIR}/scene/client)
run(${WORK_DIR}/scene/scene_client ${scene})
run(ldd ${WORK_DIR}/scene/scene_client)
if(output MATCHES "hdf5|fmt")
  message(FATAL_ERROR "engine and scenes need more than the standard library:\n${output}")
endif()
file(GLOB_RECURSE library ${WORK_DIR}/prefix/libstickslip_scene.a)
run(nm --undefined-only ${library})
if(output MATCHES " H5[A-Z]")
  message(FATAL_ERROR "${library} needs HDF5:\n${output}")
endif()

build_client(io -DWITH_IO=ON)
run(${WORK_DIR}/io/recording_client ${scene} ${WORK_DIR}/recording)
run(${WORK_DIR}/prefix/bin/stickslip check ${WORK_DIR}/recording)
