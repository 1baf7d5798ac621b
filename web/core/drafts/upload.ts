// Sends something large, with progress: fetch does not say how much was sent.

import { root } from '../server/known-answers.ts'
import { answerIn, isConnected, NoConnection, OWN_PAGE } from '../server/rest.ts'

export function upload<Body>(
  address: string,
  body: object,
  headers: Record<string, string>,
  onProgress: (share: number) => void,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', root + address)
    const all = { Accept: 'application/json', 'Content-Type': 'application/json', ...OWN_PAGE, ...headers }
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onerror = () => {
      isConnected.value = false
      reject(new NoConnection())
    }
    request.onload = () => {
      isConnected.value = true
      try {
        resolve(answerIn<Body>(request.status, request.responseText))
      } catch (fault) {
        reject(fault)
      }
    }
    request.send(JSON.stringify(body))
  })
}
