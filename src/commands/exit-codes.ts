/** Exit codes: 0 done, 1 not done, 2 wrong command line. A command may have others, which its help lists. */
export const [DONE, NOT_DONE, WRONG_COMMAND_LINE] = [0, 1, 2]
