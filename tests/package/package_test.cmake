# Installs the build into an empty folder, builds the client against it, and runs it.
# Arguments: BUILD_DIR, SOURCE_DIR, WORK_DIR
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR}/tests/package/client -B ${WORK_DIR}/build
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/client)
run(${WORK_DIR}/build/scene_client ${WORK_DIR}/prefix/share/stickslip/scenes/bouncing-ball.json
    ${WORK_DIR}/recording)
run(${WORK_DIR}/prefix/bin/stickslip check ${WORK_DIR}/recording)
