import type { Settings } from '../../platform/config/settings.ts'

/** Fields of a bug that a parameter can switch off. They keep their values, which cannot be changed then. */
const SWITCHES = {
  see_also: 'use_see_also',
  target_milestone: 'usetargetmilestone',
  whiteboard: 'usestatuswhiteboard',
} as const

type SwitchedParams = { [Field in keyof typeof SWITCHES]?: unknown }

/** Removes fields that are switched off from a request. Returns the names of those that were sent. */
export function dropSwitchedOff(params: SwitchedParams, settings: Settings): string[] {
  const dropped: string[] = []
  for (const field of FIELDS) {
    if (params[field] === undefined || settings[SWITCHES[field]]) continue
    delete params[field]
    dropped.push(field)
  }
  return dropped
}

const FIELDS = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]
