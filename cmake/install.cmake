# The installed copy: headers, library, find_package(filch) and pkg-config. It can be moved as a
# whole afterwards: both describe it relative to their own place.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/filch)

install(TARGETS filch EXPORT filch-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/filch DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT filch-targets NAMESPACE filch:: DESTINATION ${config_dir})

configure_package_config_file(cmake/filchConfig.cmake.in filchConfig.cmake
  INSTALL_DESTINATION ${config_dir})
# Before 1.0 a minor version may break its users, so only the same one will do.
write_basic_package_version_file(filchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/filchConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/filchConfigVersion.cmake
  DESTINATION ${config_dir})

# Absolute install directories are honoured, at the price of a copy that cannot be moved.
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    set(pc_${dir} ${CMAKE_INSTALL_${dir}})
  else()
    set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
if(FILCH_CHECKS)
  set(pc_checks 1)
else()
  set(pc_checks 0)
endif()
configure_file(cmake/filch.pc.in filch.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/filch.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
