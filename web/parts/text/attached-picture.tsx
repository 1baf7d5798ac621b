import { useContext, useEffect, useState } from 'preact/hooks'
import { attachmentLink } from '../../core/server/files.ts'
import { Pictures } from './text-contexts.ts'

/** A picture in a text. Its address is for this reader, and for a few minutes. */
export function AttachedPicture({ reference, text }: { reference: string; text: string }) {
  const found = useContext(Pictures)(reference)
  const [address, setAddress] = useState<string>()
  const id = found !== undefined && 'id' in found ? found.id : undefined
  const file = found !== undefined && 'file' in found ? found.file : undefined
  useEffect(() => {
    if (id !== undefined) attachmentLink(id).then(setAddress, () => undefined)
  }, [id])
  useEffect(() => {
    if (file === undefined) return
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  const words = text === '' ? 'Picture' : text
  if (found === undefined || address === undefined) return <span class="muted">{words}</span>
  const image = <img class="picture-image" src={address} alt={words} loading="lazy" />
  if (id === undefined) return image
  return (
    <a class="picture" href={address} target="_blank" rel="noreferrer">
      {image}
    </a>
  )
}
