# Every source file must be as clang-format leaves it. Arguments: SOURCE_DIR, CLANG_FORMAT
file(GLOB_RECURSE sources ${SOURCE_DIR}/include/*.hpp ${SOURCE_DIR}/src/*.[hc]pp ${SOURCE_DIR}/src/*.inl
     ${SOURCE_DIR}/apps/*.[hc]pp ${SOURCE_DIR}/bench/*.[hc]pp ${SOURCE_DIR}/examples/*.[hc]pp
     ${SOURCE_DIR}/tests/*.[hc]pp)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${sources} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "not formatted; run: make format")
endif()
