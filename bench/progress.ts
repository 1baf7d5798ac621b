/** Shows a progress bar on a terminal, otherwise one line at the end. */
export function tellProgress(done: number, all: number, things: string) {
  const share = done / all
  if (process.stdout.isTTY) {
    const bar = '#'.repeat(Math.round(share * 40)).padEnd(40, '.')
    process.stdout.write(`\r${bar} ${done} of ${all} ${things}${done === all ? '\n' : ''}`)
  } else if (done === all) console.log(`${all} ${things} created`)
}
