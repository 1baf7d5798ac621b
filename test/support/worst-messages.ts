import { type HostileRequest, many } from './hostile-requests.ts'

/** Messages of MCP of the largest allowed size: arguments of tools, what is no argument, and what is no message. */
export function worstMessages(bug: number): HostileRequest[] {
  const text = 'a\n'.repeat(32_000)
  return [
    tool('the longest search', 'search_bugs', { quicksearch: 'w1 '.repeat(660), product: many(50, (at) => `p${at}`) }),
    tool('the longest comments', 'get_bug', {
      bug,
      parts: ['fields', 'comments', 'history', 'attachments'],
      comments_count: 20,
    }),
    tool('the longest description', 'file_bug', { ...NEW_BUG, description: text }),
    tool('the longest comment', 'add_comment', { bug, comment: text }),
    tool('the longest change', 'change_bug', {
      bug,
      comment: text,
      changes: {
        cc: { add: many(50, (at) => `user${at}@example.org`) },
        keywords: { add: many(50, (at) => `k${at}`) },
      },
    }),
    tool('the longest file', 'attach_file', { bug, file_name: 'x', summary: 'x', text: 'x'.repeat(700_000) }),
    tool('arguments that are far too long', 'add_comment', { bug, comment: 'x'.repeat(1_000_000) }),
    tool('very many arguments', 'get_bug', Object.fromEntries(many(900, (at) => [`a${at}`, at]))),
    tool('very many values', 'search_bugs', { product: many(19_000, (at) => `p${at}`) }),
    message('a long method', { method: 'x'.repeat(1_000_000) }),
    message('a long address of a resource', {
      method: 'resources/read',
      params: { uri: `lacewing://bug/${'x'.repeat(1_000_000)}` },
    }),
    message('very much beside the message', {
      method: 'tools/list',
      ...Object.fromEntries(many(990, (at) => [`a${at}`, many(15, String)])),
    }),
  ]
}

const NEW_BUG = { product: 'TestProduct', component: 'TestComponent', summary: 'x' }

function tool(title: string, name: string, args: object): HostileRequest {
  return message(`${title}, by MCP`, { method: 'tools/call', params: { name, arguments: args } })
}

function message(title: string, parts: object): HostileRequest {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...parts })
  const headers = { Accept: 'application/json, text/event-stream' }
  return { title, method: 'POST', root: '', path: '/mcp', body, headers }
}
