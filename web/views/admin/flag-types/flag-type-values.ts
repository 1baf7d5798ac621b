import { editedValue } from '../changes/edited-value.tsx'
import type { Place } from '../changes/use-place.ts'
import {
  type FlagTypeState,
  type FlagTypeSwitch,
  type FlagTypeText,
  type Scope,
  type ScopeList,
  SWITCHES,
  TEXTS,
  textIn,
} from './flag-type-state.ts'

export interface FlagTypeProps {
  place: Place<FlagTypeState>
  state: FlagTypeState
}

const TITLES: Readonly<Record<FlagTypeText | FlagTypeSwitch, string>> = {
  name: 'name',
  description: 'description',
  sortkey: 'order',
  cc_list: 'who else gets requests',
  grant_group: 'who may grant and deny',
  request_group: 'who may ask',
  is_active: 'whether it can be set',
  is_requestable: 'whether one can ask for it',
  is_specifically_requestable: 'whether a request can name a person',
  is_multiplicable: 'whether there can be several',
  is_question: 'whether it is a question',
}

/** What an empty value means. */
const EMPTY: Partial<Readonly<Record<FlagTypeText, string>>> = {
  cc_list: 'nobody',
  grant_group: 'everybody',
  request_group: 'everybody',
}

export function textOf({ place, state: { type } }: FlagTypeProps, name: FlagTypeText) {
  return editedValue(place, {
    key: name,
    title: TITLES[name],
    before: textIn(type, name),
    words: EMPTY[name] === undefined ? undefined : { '': EMPTY[name] },
    call: (after) => ({
      method: 'PUT',
      path: `/rest/flag_type/${type.id}`,
      params: { [name]: name === 'cc_list' ? addressesIn(after) : after },
    }),
  })
}

export function switchOf({ place, state: { type } }: FlagTypeProps, name: FlagTypeSwitch) {
  return editedValue(place, {
    key: name,
    title: TITLES[name],
    before: type[name] ? 'yes' : 'no',
    call: (after) => ({ method: 'PUT', path: `/rest/flag_type/${type.id}`, params: { [name]: after === 'yes' } }),
  })
}

function addressesIn(text: string) {
  return text.split(/[\s,]+/).filter((address) => address !== '')
}

/** The flag type as it will be with the changes of the draft. */
export function typeNow(place: Place<FlagTypeState>, state: FlagTypeState) {
  const { type } = state
  const texts = Object.fromEntries(
    TEXTS.map((name) => [name, place.draft.valueOf(name, textIn(type, name))]),
  ) as Record<FlagTypeText, string>
  const switches = Object.fromEntries(
    SWITCHES.map((name) => [name, place.draft.valueOf(name, type[name] ? 'yes' : 'no') === 'yes']),
  ) as Record<FlagTypeSwitch, boolean>
  return {
    ...type,
    ...texts,
    ...switches,
    sortkey: Number(texts.sortkey),
    cc_list: addressesIn(texts.cc_list),
    grant_group: texts.grant_group || null,
    request_group: texts.request_group || null,
    inclusions: [...scopesNow(place, state, 'inclusions')],
    exclusions: [...scopesNow(place, state, 'exclusions')],
  }
}

/** The inclusions or exclusions with the change of the draft. */
export function scopesNow({ draft }: Place<FlagTypeState>, { type }: FlagTypeState, list: ScopeList) {
  return (draft.get(list)?.call.params?.[list] as readonly Scope[] | undefined) ?? type[list] ?? []
}
