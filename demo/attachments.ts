import type { Random } from './random.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A log as a station writes it. */
export function makeLog(random: Random, serial: string, end: number) {
  const lines = Array.from({ length: random.whole(20, 60) }, (_, index, all = 60) => {
    const time = new Date(end - (all - index) * 60_000).toISOString()
    const values = `t=${random.between(-5, 25).toFixed(1)} h=${random.whole(40, 100)} w=${random.between(0, 60).toFixed(1)}`
    const what = random.chance(0.1) ? `radio: no answer, try ${random.whole(1, 4)}` : `sensors: ${values}`
    return `${time} ${serial} ${what}`
  })
  return { file_name: `${serial}.log`, content_type: 'text/plain', data: base64(`${lines.join('\n')}\n`) }
}

/** A patch of a few lines. */
export function makePatch(random: Random, component: string, bugId: number) {
  const file = `${component.toLowerCase().replace(/\W+/g, '-')}.c`
  const line = random.whole(20, 400)
  const limit = random.whole(2, 20) * 10
  const text = `--- a/${file}
+++ b/${file}
@@ -${line},5 +${line},6 @@ int read_values(struct station *it)
   int tries = 0;
-  while (!it->ready)
+  /* bug ${bugId} */
+  while (!it->ready && tries++ < ${limit})
     wait_for(it);
   return it->ready ? 0 : -1;
`
  return { file_name: `bug-${bugId}.patch`, is_patch: true, data: base64(text) }
}

/** The smallest valid image, in grey. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCB8ZzB8AAAAABJRU5ErkJggg=='

export function makePhoto(serial: string) {
  return { file_name: `${serial}.png`, content_type: 'image/png', data: PICTURE }
}
