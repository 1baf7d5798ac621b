import { readSecret } from '../../../access/installation-secrets.ts'
import type { Db } from '../../../platform/database/db.ts'
import { onUniqueViolation } from '../../../platform/database/on-unique-violation.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { seal, unseal } from '../../../platform/secrets/seal.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { CodeSource, Commenting, Resolving, SourceEdit, SourceKind } from './code-source.ts'

const all = statement<object>()((q) =>
  q
    .selectFrom('code_sources')
    .innerJoin('users', 'users.id', 'code_sources.user_id')
    .selectAll('code_sources')
    .select(['users.login as user', 'users.disabled_text'])
    .orderBy('code_sources.name_key'),
)
const products = statement<object>()((q) =>
  q
    .selectFrom('code_source_products')
    .innerJoin('products', 'products.id', 'code_source_products.product_id')
    .select(['code_source_products.source_id', 'products.id', 'products.name'])
    .orderBy('products.name_key'),
)

/** By name. Administrators make them, so that there are few. */
export async function listSources(db: Db): Promise<CodeSource[]> {
  const rows = await db.all(all, {})
  if (rows.length === 0) return []
  const bySource = Map.groupBy(await db.all(products, {}), (row) => row.source_id)
  return rows.map(({ name_key: _, disabled_text, ...row }) => ({
    ...row,
    kind: row.kind as SourceKind,
    resolves: row.resolves as Resolving,
    comments: row.comments as Commenting,
    is_active: row.is_active === 1,
    attaches: row.attaches === 1,
    links_back: row.links_back === 1,
    is_private: row.is_private === 1,
    repositories: JSON.parse(row.repositories) as string[],
    networks: JSON.parse(row.networks) as string[],
    link_words: JSON.parse(row.link_words) as string[],
    resolve_words: JSON.parse(row.resolve_words) as string[],
    products: (bySource.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
    isAccountDisabled: disabled_text !== '',
  }))
}

export async function findSource(db: Db, name: string): Promise<CodeSource | undefined> {
  const key = fold(name.trim())
  return (await listSources(db)).find((source) => fold(source.name) === key)
}

export async function findSourceById(db: Db, id: number): Promise<CodeSource | undefined> {
  return (await listSources(db)).find((source) => source.id === id)
}

export async function getSource(db: Db, name: string): Promise<CodeSource> {
  const found = await findSource(db, name)
  if (found === undefined) throw errors.no_such_object({ what: 'source of code', ref: name })
  return found
}

/** The secret and the token of a source, readable. */
interface SourceSecrets {
  secret: string
  token: string
}

const SECRET_PURPOSE = 'secret of a source of code'
const TOKEN_PURPOSE = 'token of a source of code'

export async function unsealed(db: Db, { secret, token }: SourceSecrets): Promise<SourceSecrets> {
  const key = await readSecret(db, 'code_source')
  return {
    secret: unseal(key, SECRET_PURPOSE, secret),
    token: token === '' ? '' : unseal(key, TOKEN_PURPOSE, token),
  }
}

export async function sealed(db: Db, { secret, token }: Partial<SourceSecrets>): Promise<Partial<SourceSecrets>> {
  const key = await readSecret(db, 'code_source')
  return {
    ...(secret !== undefined && { secret: seal(key, SECRET_PURPOSE, secret) }),
    ...(token !== undefined && { token: token === '' ? '' : seal(key, TOKEN_PURPOSE, token) }),
  }
}

export async function insertSource(tx: Db, edit: SourceEdit, secrets: SourceSecrets): Promise<number> {
  const row = { ...rowOf(edit), ...secrets }
  const insert = () => tx.query((q) => q.insertInto('code_sources').values(row).returning('id'))
  const [inserted] = await onNameTaken(tx, edit, insert)
  const { id } = inserted as { id: number }
  await insertProducts(tx, id, edit)
  return id
}

export async function updateSource(tx: Db, id: number, edit: SourceEdit, secrets: Partial<SourceSecrets>) {
  const row = { ...rowOf(edit), ...secrets }
  await onNameTaken(tx, edit, () => tx.query((q) => q.updateTable('code_sources').set(row).where('id', '=', id)))
  await tx.query((q) => q.deleteFrom('code_source_products').where('source_id', '=', id))
  await insertProducts(tx, id, edit)
}

const emptyTexts = statement<{ id: number }>()((q, p) =>
  q.updateTable('code_changes').set({ title: '', author: '' }).where('source_id', '=', p.id),
)

/** Deletes the titles and authors of what the source has reported. */
export async function forgetTexts(tx: Db, id: number) {
  await tx.all(emptyTexts, { id })
}

const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('code_sources').where('id', '=', p.id))

/** Also deletes what the source has reported, and its links to bugs. */
export async function deleteSource(tx: Db, id: number) {
  await tx.all(remove, { id })
}

async function insertProducts(tx: Db, id: number, { products: named }: SourceEdit) {
  const rows = named.map((product) => ({ source_id: id, product_id: product.id }))
  if (rows.length > 0) await tx.query((q) => q.insertInto('code_source_products').values(rows))
}

function rowOf({ user: _, products: __, ...edit }: SourceEdit) {
  return {
    name: edit.name,
    name_key: fold(edit.name),
    kind: edit.kind,
    api_address: edit.api_address,
    user_id: edit.user_id,
    is_active: flagOf(edit.is_active),
    repositories: JSON.stringify(edit.repositories),
    networks: JSON.stringify(edit.networks),
    link_words: JSON.stringify(edit.link_words),
    resolve_words: JSON.stringify(edit.resolve_words),
    resolves: edit.resolves,
    resolve_status: edit.resolve_status,
    resolve_resolution: edit.resolve_resolution,
    comments: edit.comments,
    attaches: flagOf(edit.attaches),
    links_back: flagOf(edit.links_back),
    is_private: flagOf(edit.is_private),
  }
}

function flagOf(is: boolean): 0 | 1 {
  return is ? 1 : 0
}

function onNameTaken<Result>(tx: Db, { name }: SourceEdit, write: () => Promise<Result>) {
  return onUniqueViolation(tx, () => errors.name_taken({ what: 'source of code', name }), write)
}
