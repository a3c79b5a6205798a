/* SPDX-License-Identifier: MIT */
/* Where the program and the data that belong to it lie. */
#ifndef VX_HOME_H
#define VX_HOME_H

/* The path of the running program; free it. "voxcert", to be found by the shell, when the system
 * does not tell. */
char *vx_home_program(void);

/* The directory name ("vectors") of the project's data: below the directory that the environment
 * variable VOXCERT_DATA names or, without it, beside the sources that the program was built from or
 * where it was installed. NULL when there is none; free it. */
char *vx_home_data(const char *name);

#endif
