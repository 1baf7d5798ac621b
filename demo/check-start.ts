import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Ends the process if the demo was started in a wrong way. It loads nothing of the server, so that it answers at once. */
const given = process.env.LACEWING_DATA?.trim()
const folder = given ? resolve(given) : undefined
if (process.argv.length > 2) giveUp(`The demo takes no arguments, but got ${process.argv[2]}.`)
if (folder !== undefined && existsSync(folder) && readdirSync(folder).length > 0)
  giveUp(`The folder ${folder} is not empty: LACEWING_DATA must name an empty folder, or be left out.`)

function giveUp(why: string) {
  console.error(why)
  process.exit(1)
}
