import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { checkConnection } from '../core/server/connection.ts'
import { isConnected } from '../core/server/rest.ts'
import { loadStyleApart } from '../core/style-apart.ts'

/** A part of the pages that is seldom needed: its script is loaded when it is first drawn. */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props> = Nothing,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  return function Late(props: Props) {
    const [, setLoaded] = useState(Loaded !== undefined)
    const isMissing = useScript(async () => {
      Loaded ??= await load()
      setLoaded(true)
    })
    return Loaded === undefined || isMissing ? <Waiting {...props} /> : <Loaded {...props} />
  }
}

function Nothing() {
  return null
}

/** A script whose style is in style-apart.css. */
export async function withStyleApart<Module>(script: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([script, loadStyleApart()])
  return module
}

/** Loads a script once. A browser does not try a script again that it could not load, so the page is loaded anew. */
export function useScript(load: () => Promise<unknown>, name = ''): boolean {
  const [missing, setMissing] = useState<string>()
  useEffect(() => {
    load().catch(() => {
      setMissing(name)
      isConnected.value = false
      void checkConnection()
    })
  }, [name])
  useEffect(() => {
    if (missing === name && isConnected.value) location.reload()
  }, [missing, name, isConnected.value])
  return missing === name
}
