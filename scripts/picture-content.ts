import { setTimeout as sleep } from 'node:timers/promises'
import { loginOf } from '../demo/people.ts'
import type { Tracker } from '../demo/tracker.ts'

type TrackerOf = (name: string) => Tracker

/** What the reader of the pictures has besides the year of the demo: news, a dashboard and a queue, without the notice of the demo. */
export async function makeContent(administrator: Tracker, as: TrackerOf, reader: string) {
  await administrator.put('/parameters', { announcehtml: '' })
  await makeNews(as, reader)
  await as(reader).post('/dashboard', { name: 'Firmware team', tiles: TILES })
  await as('bo').post('/rotation', {
    name: 'Stations',
    users: [reader, 'kavya', 'emil', 'dana'].map(loginOf),
    start: '2026-06-08T09:00:00Z',
  })
  await as('bo').post('/triage', {
    ...{ name: 'Stations', group: 'staff', rotation: 'Stations', aim_days: 3 },
    query: 'product=Station+Firmware&product=Weather+Station&product=Weather+Portal&bug_status=UNCONFIRMED',
  })
}

/** Something is asked of the reader, and some of their bugs have changed since they looked. */
async function makeNews(as: TrackerOf, reader: string) {
  const { bugs = [] } = await as(reader).get('/bug', {
    assigned_to: loginOf(reader),
    status: '__open__',
    order: 'bug_id',
    include_fields: 'id',
    limit: 7,
  })
  for (const { id } of bugs) await as(reader).post('/bug_user_last_visit/:ref', { ref: id })
  // Visits and changes have times in whole seconds.
  await sleep(1100)
  const flags = [{ name: 'needinfo', status: '?', new: true, requestee: loginOf(reader) }]
  for (const [place, { id }] of bugs.entries()) {
    if (place % 2 === 0)
      await as('emil').post('/bug/:ref/comment', { ref: id, comment: 'It still happens with 2.1-beta.' })
    else if (place < 4) await as('kavya').put('/bug/:ref', { ref: id, flags })
  }
}

const FIRMWARE = 'product=Station+Firmware'
const TILES = [
  { title: 'Open over time', kind: 'over_time', query: FIRMWARE },
  { title: 'Created and resolved', kind: 'flow', query: `${FIRMWARE}&from=2026-03-20` },
  { title: 'Autumn batch', kind: 'burn_up', query: 'product=Weather+Station&target_milestone=Autumn+batch' },
  { title: 'Age of open bugs', kind: 'age', query: FIRMWARE },
  {
    ...{ title: 'Component and severity', kind: 'table', chart: 'table' },
    query: `${FIRMWARE}&status=__open__&y_axis_field=component&x_axis_field=severity`,
  },
  { title: 'Load per person', kind: 'load', query: `${FIRMWARE}&status=__open__` },
]
