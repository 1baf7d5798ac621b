import type { Settings } from '../../platform/config/settings.ts'

/** Fields of a bug that a parameter switches off. They keep what they hold, and nobody changes it. */
const SWITCHES = {
  see_also: 'use_see_also',
  target_milestone: 'usetargetmilestone',
  whiteboard: 'usestatuswhiteboard',
} as const

type SwitchedParams = { [Field in keyof typeof SWITCHES]?: unknown }

/** Takes fields that are switched off out of what a client wants. Answers the ones that were sent. */
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
