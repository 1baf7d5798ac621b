import { Type } from '@sinclair/typebox'
import { Changes } from '../../../platform/wire/openapi/schemas.ts'
import type { CodeSource } from './code-source.ts'

const strict = { additionalProperties: false }
const texts = Type.Array(Type.String())

const Source = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    kind: Type.String(),
    address: Type.String({ description: 'Where the source sends its webhooks.' }),
    user: Type.String({ description: 'Login name of the account whose rights it has.' }),
    is_account_disabled: Type.Boolean({ description: 'Then nothing is linked.' }),
    is_active: Type.Boolean(),
    repositories: texts,
    products: texts,
    networks: texts,
    link_words: texts,
    resolve_words: texts,
    resolves: Type.String(),
    resolve_status: Type.String(),
    resolve_resolution: Type.String(),
    comments: Type.String(),
    attaches: Type.Boolean(),
    links_back: Type.Boolean(),
    is_private: Type.Boolean(),
    api_address: Type.String(),
    has_token: Type.Boolean(),
    last_delivery: Type.Union([Type.Object({ at: Type.String(), outcome: Type.String() }, strict), Type.Null()]),
  },
  { title: 'CodeSource', ...strict },
)

export const Sources = Type.Object({ sources: Type.Array(Source) }, strict)

export const NewSource = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    address: Type.String({ description: 'To be entered at the source, with the secret.' }),
    secret: Type.String({ description: 'It is returned only once.' }),
  },
  { title: 'NewCodeSource', ...strict },
)

export const UpdatedSources = Type.Object(
  {
    sources: Type.Array(
      Type.Object({ id: Type.Integer(), changes: Changes, secret: Type.Optional(Type.String()) }, strict),
    ),
  },
  strict,
)

export const CodeDeliveries = Type.Object(
  {
    deliveries: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          delivery: Type.String({ description: 'How the source calls it.' }),
          event: Type.String(),
          at: Type.String({ format: 'date-time' }),
          outcome: Type.String({
            description:
              'waiting; linked; ignored (nothing new for bugs); left out (bugs that the source may not link); stopped (switched off, or its account is disabled); failed.',
          }),
          note: Type.String(),
        },
        strict,
      ),
    ),
  },
  strict,
)

export const SourceTest = Type.Object(
  {
    is_good: Type.Boolean({ description: 'Whether all checks are good.' }),
    checks: Type.Array(Type.Object({ is_good: Type.Boolean(), text: Type.String() }, strict)),
  },
  { title: 'CodeSourceTest', ...strict },
)

export function addressOfSource(baseUrl: string, { name }: { name: string }) {
  return `${baseUrl.replace(/\/$/, '')}/rest/code/${encodeURIComponent(name)}`
}

/** The source without its secrets. */
export function presentSource(
  { user_id: _, secret: __, token, isAccountDisabled, products, ...source }: CodeSource,
  baseUrl: string,
  last: { at: string; outcome: string } | undefined,
) {
  return {
    ...source,
    ...{ repositories: [...source.repositories], networks: [...source.networks] },
    ...{ link_words: [...source.link_words], resolve_words: [...source.resolve_words] },
    products: products.map(({ name }) => name),
    address: addressOfSource(baseUrl, source),
    is_account_disabled: isAccountDisabled,
    has_token: token !== '',
    last_delivery: last ?? null,
  }
}
