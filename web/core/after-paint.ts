const LONGEST_MILLISECONDS = 500

/**
 * Resolves when the current state is on the screen, for work that the reader does not wait for, such as finding references in a
 * thousand comments. A hidden page is never painted.
 */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_MILLISECONDS)
  })
}
