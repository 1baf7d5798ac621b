import { createHash } from 'node:crypto'
import { release } from '../../platform/config/release.ts'
import { migrations } from '../../platform/database/migrations/index.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { RowCounts } from './archive-part.ts'
import { UnreadableArchive } from './unreadable-archive.ts'

/** The first file of an archive, and the only one that depends on when and where it was written. */
export interface Manifest {
  format: typeof FORMAT
  /** The version of the archive format. */
  version: number
  release: string
  /** The number of the newest migration. */
  schema: number
  written_at: string
  engine: 'sqlite' | 'postgres'
  attachments: 'included' | 'by reference'
  /** The rows of each table. */
  counts: RowCounts
  contents: number
}

const FORMAT = 'lacewing archive'
const VERSION = 1

/** The names of the files in an archive. */
export const [MANIFEST, LAST_IDS, CHECKSUMS] = ['manifest.json', 'last-ids.jsonl', 'checksums.json'] as const

export function newManifest(
  found: Pick<Manifest, 'schema' | 'engine' | 'attachments' | 'counts' | 'contents'>,
): Manifest {
  const { schema, ...others } = found
  return { format: FORMAT, version: VERSION, release, schema, written_at: timeNow(), ...others }
}

/** As JSON, with a checksum of itself. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 1)}\n`
}

export function parseManifest(text: string): Manifest {
  const { checksum, ...manifest } = parsedObject(text) as unknown as Manifest & { checksum?: unknown }
  if (manifest.format !== FORMAT || !Number.isInteger(manifest.version))
    throw new UnreadableArchive('it was not written by lacewing export')
  if (manifest.version > VERSION || (Number.isInteger(manifest.schema) && manifest.schema > migrations.length))
    throw new UnreadableArchive(
      `it was written by release ${manifest.release}, which is newer than this one (${release}): install that release or a newer one`,
    )
  if (checksum !== checksumOf(manifest)) throw new UnreadableArchive('its manifest was altered')
  requireForm(manifest)
  return manifest
}

function requireForm({ schema, counts, contents }: Manifest) {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  const areCounts =
    typeof counts === 'object' && counts !== null && !Array.isArray(counts) && Object.values(counts).every(isCount)
  if (!isCount(schema) || schema === 0) throw new UnreadableArchive('its manifest has no schema')
  if (!areCounts || !isCount(contents)) throw new UnreadableArchive('its manifest has no usable counts')
}

export function parsedObject(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new UnreadableArchive('a file in it is not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UnreadableArchive('a file in it is not a JSON object')
  return parsed as Record<string, unknown>
}

function checksumOf(manifest: object) {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}
