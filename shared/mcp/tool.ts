import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { JsonSchema, ObjectSchema } from './input-schema.ts'
import { NOTICE, type ToolOutcome } from './marked-data.ts'
import type { Tracker } from './tracker.ts'

/** The arguments of a call, which have the form that the schema of the tool says. */
export type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly title: string
  /** What it does and when to use it. */
  readonly about: string
  readonly input: ObjectSchema
  /** The schema of the data, from the answers of the calls. */
  readonly data: JsonSchema
  /** `write` also for what a key with the scope `propose` may send, which is then stored as a proposal. */
  readonly needs: 'read' | 'write'
  /** Whether it can replace or remove something. */
  readonly isDestructive?: boolean
  /** Whether the same call again has no further effect. */
  readonly isIdempotent?: boolean
  run(tracker: Tracker, args: Arguments): Promise<ToolOutcome>
}

/** As programs get it. The answers of a Bugzilla have other types now and then, so that no schema is promised for them. */
export function listedTool(tool: Tool, { isLacewing }: Pick<Tracker, 'isLacewing'>): ListedTool {
  const isWrite = tool.needs === 'write'
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.about} ${NOTICE}`,
    inputSchema: tool.input as ListedTool['inputSchema'],
    ...(isLacewing && { outputSchema: outputSchema(tool) as NonNullable<ListedTool['outputSchema']> }),
    annotations: {
      title: tool.title,
      readOnlyHint: !isWrite,
      destructiveHint: isWrite && tool.isDestructive === true,
      idempotentHint: !isWrite || tool.isIdempotent === true,
      // What is read there was written by anybody.
      openWorldHint: true,
    },
  }
}

function outputSchema({ needs, data }: Tool): JsonSchema {
  return {
    type: 'object',
    properties: {
      notice: { type: 'string' },
      ...(needs === 'write' && {
        is_done: { type: 'boolean', description: 'False after a dry run, and for what was only stored as a proposal.' },
        proposal: {
          type: 'integer',
          description: 'Stored as this proposal, which is not done yet: a person must accept it.',
        },
        confirm: { type: 'string', description: 'Send it to make the change that was tried.' },
      }),
      untrusted_data: data,
      is_cut: { type: 'boolean', description: 'Whether long texts or lists were cut.' },
      next: { type: 'object', description: 'Further arguments for the next part.' },
    },
    required: ['notice', 'untrusted_data', 'is_cut'],
  }
}

/** Whether a key with these scopes can use it. */
export function isUsable(tool: Tool, scopes: ReadonlySet<string> | undefined): boolean {
  return scopes === undefined || scopesFor(tool).some((scope) => scopes.has(scope))
}

/** Any of these scopes is enough. */
export function scopesFor({ needs }: Tool): readonly string[] {
  return needs === 'read' ? ['read'] : ['write', 'propose']
}
