/** How a command ends; docs/command-line.md explains them. Scripts rely on these numbers. */
export const EXIT = {
  done: 0,
  refused: 1,
  wrongCommandLine: 2,
  notSignedIn: 3,
  notFound: 4,
  unreachable: 5,
  changedMeanwhile: 6,
  notOnThisServer: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
