import { Type } from '@sinclair/typebox'
import { call } from '../access/call.ts'
import { type Caller, isIn, requireGroup } from '../access/caller.ts'
import { readSettings } from '../access/installation.ts'
import { legalValuesOf } from '../catalogue/fields/values/parameter-values.ts'
import { type SettingPlace, settingPlaces } from '../platform/config/setting-groups.ts'
import { definitionOf, type Settings, settingText, shownSetting } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'
import { texts } from '../platform/wire/params.ts'
import { readLastChanges } from './last-parameter-changes.ts'

const answered = { additionalProperties: false }
const Kind = Type.Union(
  (['switch', 'number', 'choice', 'group', 'line', 'text', 'pattern', 'secret', 'json'] as const).map((kind) =>
    Type.Literal(kind),
  ),
  { description: 'How it is entered. A switch is 1 or 0; a line is text without line breaks; json is a list.' },
)

const Parameter = Type.Object(
  {
    name: Type.String({ description: 'As PUT /rest/parameters takes it.' }),
    title: Type.String(),
    group: Type.String({ description: 'The heading that it stands under.' }),
    about: Type.String({ description: 'What it means.' }),
    kind: Kind,
    choices: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The values that it can have; null if it is free.',
    }),
    value: Type.String({ description: 'Of a secret only whether there is one: ******** or nothing.' }),
    default: Type.String(),
    is_for_administrators: Type.Boolean({ description: 'Whether only members of admin change it.' }),
    last_change: Type.Union([
      Type.Object(
        {
          at: Type.String({ format: 'date-time' }),
          who: Type.Union([Type.String(), Type.Null()], {
            description: 'Login name, for members of admin; null for other callers and for changes by the server.',
          }),
        },
        answered,
      ),
      Type.Null(),
    ]),
  },
  { title: 'Parameter', ...answered },
)

export const parametersRoute = call({
  method: 'GET',
  path: '/admin/parameters',
  resource: 'admin',
  summary: 'List all parameters with what each means.',
  about: 'For members of tweakparams. Secrets are not returned.',
  params: { name: texts('Only the parameters with these names.') },
  answers: Type.Object(
    {
      version: Type.Integer({ description: 'Grows with every change of a parameter; for the header If-Match.' }),
      parameters: Type.Array(Parameter),
    },
    answered,
  ),
  scope: 'admin',
  async run({ db, request, caller, params }) {
    requireGroup(caller, 'tweakparams')
    const places = params.name === undefined ? settingPlaces : params.name.map(getPlace)
    // The version is read first: a value that is newer than its version is refused once too often, never once too little.
    const { version, changes } = await readLastChanges(db.within(request.readLimits))
    const settings = await readSettings(db)
    return { version, parameters: await presentParameters(db, caller, places, settings, changes) }
  },
})

type LastChanges = Awaited<ReturnType<typeof readLastChanges>>['changes']

function getPlace(name: string): SettingPlace {
  const place = settingPlaces.find((it) => it.name === name)
  if (place === undefined) throw errors.no_such_object({ what: 'parameter', ref: name })
  return place
}

async function presentParameters(
  db: Db,
  caller: Caller,
  places: readonly SettingPlace[],
  settings: Settings,
  changes: LastChanges,
) {
  const values = await legalValuesOf(db)
  return places.flatMap(({ name, group, title }) => {
    const definition = definitionOf(name)
    if (definition === undefined) return []
    const { about, kind, defaultText, isForAdministrators = false } = definition
    const choices = definition.choices ?? values.get(name) ?? null
    const last = changes.get(name)
    return {
      ...{ name, title, group, about, kind: choices === null ? kind : ('choice' as const), choices },
      value: shownSetting(name, settingText(settings, name)),
      default: shownSetting(name, defaultText),
      is_for_administrators: isForAdministrators,
      last_change: last === undefined ? null : { at: last.at, who: isIn(caller, 'admin') ? last.who : null },
    }
  })
}
