import type { PlannedBug } from './new-bugs.ts'
import { loginOf } from './people.ts'
import type { Random } from './random.ts'
import type { Step } from './steps.ts'
import { isStaff } from './teams.ts'

const DAY = 24 * 3_600_000

const SEARCHES: readonly { who: string; name: string; query: string; shared_with?: string }[] = [
  {
    who: 'bo',
    name: 'Blocks the release',
    query: 'flagtypes.name=blocks-release%2B&status=__open__',
    shared_with: 'staff',
  },
  {
    who: 'bo',
    name: 'Requests for the release',
    query: 'f1=flagtypes.name&o1=equals&v1=blocks-release%3F',
    shared_with: 'staff',
  },
  { who: 'emil', name: 'To verify', query: 'status=RESOLVED&resolution=FIXED&qa_contact=%25user%25' },
  { who: 'emil', name: 'Not confirmed yet', query: 'status=UNCONFIRMED&order=creation_time', shared_with: 'staff' },
  {
    who: 'farah',
    name: 'Open holes',
    query: 'f1=bug_group&o1=equals&v1=security&status=__open__',
    shared_with: 'security',
  },
  { who: 'chidi', name: 'My bugs', query: 'assigned_to=%25user%25&status=__open__&order=priority' },
  { who: 'dana', name: 'My bugs', query: 'assigned_to=%25user%25&status=__open__&order=priority' },
  { who: 'marco', name: 'Open returns', query: 'component=Returns&status=__open__' },
  { who: 'ines', name: 'Gateway', query: 'product=Helios%20Gateway&status=__open__' },
]

/** What users do besides working on one bug: they save searches, watch bugs, tag them, set deadlines. */
export function planHabits(random: Random, bugs: readonly PlannedBug[]): Step[] {
  const begin = bugs[0]?.at ?? 0
  return [...savedSearches(begin), ...mailedSearch(begin), ...bugs.flatMap((bug) => around(random, bug))]
}

function savedSearches(begin: number): Step[] {
  return SEARCHES.map(({ who, ...search }, index) => ({
    at: begin + (20 + 7 * index) * DAY,
    who,
    act: (as) => as.post('/saved_search', search),
  }))
}

function mailedSearch(begin: number): Step[] {
  const mail = {
    subject: 'What waits for you',
    searches: [{ search: 'My bugs' }],
    schedules: [{ day: 'Mon', time: '7' }],
  }
  return [{ at: begin + 90 * DAY, who: 'chidi', act: (as) => as.post('/scheduled_mail', mail) }]
}

/** A few weeks after a bug was filed. Users do nothing with bugs that they may not see. */
function around(random: Random, bug: PlannedBug): Step[] {
  const { isSecret, product } = bug.report
  if (isSecret || product === 'Helios Gateway') return []
  const at = () => bug.at + random.between(0.2, 20) * DAY
  const steps: Step[] = []
  if (random.chance(0.25)) {
    const who = random.pick(product === 'Office & IT' ? ['chidi', 'lena', 'marco'] : ['otto', 'noor', 'kavya', 'hugo'])
    steps.push({ at: at(), who, act: (as) => as.put('/bug/:ref', { ref: bug.id, cc: { add: [loginOf(who)] } }) })
  }
  if (random.chance(0.06)) {
    const deadline = new Date(bug.at + random.whole(10, 120) * DAY).toISOString().slice(0, 10)
    steps.push({ at: at(), who: 'bo', act: (as) => as.put('/bug/:ref', { ref: bug.id, deadline }) })
  }
  if (random.chance(0.06))
    steps.push({
      at: at(),
      who: 'emil',
      act: (as) => as.put('/bug/:ref/tags', { ref: bug.id, add: [random.pick(['look-again', 'release notes'])] }),
    })
  if (random.chance(0.05)) {
    const link = `https://github.com/skylark-instruments/tools/issues/${random.whole(10, 400)}`
    steps.push({ at: at(), who: 'kavya', act: (as) => as.put('/bug/:ref', { ref: bug.id, see_also: { add: [link] } }) })
  }
  if (random.chance(0.08)) {
    const whiteboard = random.pick(['[batch 7]', '[field test]', '[ask supplier]', '[before winter]'])
    steps.push({
      at: at(),
      who: isStaff(bug.reporter) ? bug.reporter : 'emil',
      act: (as) => as.put('/bug/:ref', { ref: bug.id, whiteboard }),
    })
  }
  return steps
}
