import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import { get, post, remove } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { useWatches } from '../../../parts/watch-button.tsx'

/** The products, components and keywords that the reader watches. */
export function WatchedPlaces() {
  const { watches = [], watch, end } = useWatches(true)
  const keywords = useData(addressOf('/keyword-watching'))
  const all = useData(addressOf('/keyword'))
  const [product, setProduct] = useState('')
  const products = async (text: string) => {
    const { products } = await get(addressOf('/product', { type: ['accessible'], include_fields: 'name' }))
    return optionsIn(
      products.map(({ name }) => name),
      text,
    )
  }
  const components = async (text: string) => {
    const { products } = await get(addressOf('/product/:ref', { ref: product, include_fields: 'components' }))
    const names = (products[0]?.components ?? []).map(({ name }) => name)
    return [{ value: '', name: 'The whole product' }, ...optionsIn(names, text)]
  }
  const known = (all.body?.keywords ?? []).map(({ name }) => name)
  const addKeyword = (keyword: string) =>
    void showResult(() => post('/keyword-watching', { keyword }), `You watch ${keyword}.`, keywords.reload)
  const endKeyword = (id: number, name: string) =>
    void showResult(() => remove('/keyword-watching/:id', { id }), `You no longer watch ${name}.`, keywords.reload)
  return (
    <section class="stack" aria-label="What you watch" id="watched">
      <h2>Components, products and keywords you watch</h2>
      {watches.length + (keywords.body?.length ?? 0) === 0 ? (
        <p class="muted">You watch nothing. Watch a component to hear of its new bugs.</p>
      ) : (
        <ul class="card rows mail-ignored">
          {watches.map(({ id, product_name, component_name }) => (
            <li key={id} class="mail-row">
              <a class="grow truncated" href={hrefOf(`/product/${encodeURIComponent(product_name)}`)} dir="auto">
                {component_name === '' ? product_name : `${product_name}: ${component_name}`}
              </a>
              <IconButton
                name={`Stop watching ${component_name === '' ? product_name : component_name}`}
                icon="x"
                onClick={() => end(id, product_name, component_name)}
              />
            </li>
          ))}
          {(keywords.body ?? []).map(({ id, keyword_name }) => (
            <li key={id} class="mail-row">
              <span class="grow truncated" dir="auto">
                {keyword_name}
              </span>
              <IconButton
                name={`Stop watching ${keyword_name}`}
                icon="x"
                onClick={() => endKeyword(id, keyword_name)}
              />
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label="Watch a product"
        placeholder="Watch a product"
        value={product}
        options={products}
        onChoice={({ value }) => setProduct(value)}
      />
      {product !== '' && (
        <Combobox
          label={`Component of ${product}`}
          placeholder="Which component, or the whole product"
          value=""
          options={components}
          onChoice={({ value }) => {
            watch(product, value)
            setProduct('')
          }}
        />
      )}
      <Combobox
        label="Watch a keyword"
        placeholder="Watch a keyword"
        value=""
        isForSeveral
        options={async (text) => optionsIn(known, text)}
        onChoice={({ value }) => value !== '' && addKeyword(value)}
      />
      <p class="hint">You get mail about their bugs by your choices under “Watching it”, if you may see them.</p>
    </section>
  )
}

function optionsIn(names: readonly string[], text: string) {
  const part = text.trim().toLowerCase()
  return names.filter((name) => name.toLowerCase().includes(part)).map((name) => ({ value: name, name }))
}
