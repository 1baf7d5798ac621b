import { emitKeypressEvents } from 'node:readline'

interface Key {
  readonly name?: string
  readonly ctrl?: boolean
}

/** Waits for one key. Ctrl+C, Ctrl+D and a terminal that is closed are `quit`. */
export async function readKey(): Promise<string> {
  const { stdin } = process
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.resume()
  try {
    return await new Promise<string>((resolve) => {
      const onKey = (text: string | undefined, { name, ctrl }: Key) => {
        stdin.off('end', onEnd)
        stdin.off('keypress', onKey)
        const isEnd = ctrl && (name === 'c' || name === 'd')
        resolve(isEnd ? 'quit' : text === '?' ? '?' : (name ?? text ?? ''))
      }
      const onEnd = () => {
        stdin.off('keypress', onKey)
        resolve('quit')
      }
      stdin.on('keypress', onKey)
      stdin.once('end', onEnd)
    })
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
  }
}
