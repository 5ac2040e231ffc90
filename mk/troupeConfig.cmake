# find_package(troupe): targets troupe::troupe, troupe::shared and troupe::test, and
# troupe_add_test(NAME SOURCES ...), a test binary registered with CTest.
get_filename_component(_troupe_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
# The prefix is where include/troupe.h is, some folders up from the libraries.
set(_troupe_root "${_troupe_lib}")
while(NOT EXISTS "${_troupe_root}/include/troupe.h" AND NOT "${_troupe_root}" STREQUAL "/")
  get_filename_component(_troupe_root "${_troupe_root}" DIRECTORY)
endwhile()
find_package(Threads REQUIRED)

if(NOT TARGET troupe::troupe)
  add_library(troupe::troupe STATIC IMPORTED)
  set_target_properties(troupe::troupe PROPERTIES
    IMPORTED_LOCATION "${_troupe_lib}/libtroupe.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_troupe_root}/include"
    INTERFACE_LINK_LIBRARIES Threads::Threads)

  add_library(troupe::shared SHARED IMPORTED)
  set_target_properties(troupe::shared PROPERTIES
    IMPORTED_LOCATION "${_troupe_lib}/libtroupe.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_troupe_root}/include")

  add_library(troupe::test STATIC IMPORTED)
  set_target_properties(troupe::test PROPERTIES
    IMPORTED_LOCATION "${_troupe_lib}/libtroupe-test.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_troupe_root}/include"
    INTERFACE_COMPILE_OPTIONS "-g"
    INTERFACE_LINK_OPTIONS "-rdynamic;-Wl,@${_troupe_lib}/troupe-test.ld-args"
    INTERFACE_LINK_LIBRARIES "troupe::troupe;dw;elf;xxhash;dl;m")
endif()

function(troupe_add_test name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE troupe::test)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

