import { useEffect, useState } from 'preact/hooks'

/** A small picture of a file that is not sent yet. */
export function Thumbnail({ file }: { file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return <img class="composer-thumbnail" src={address} alt="" width="32" height="32" />
}
