import { useEffect } from 'preact/hooks'
import { loadPeople, personBy } from '../../core/bugs/people.ts'
import type { ListedProduct, Product } from '../../core/server/types.ts'
import { Combobox, matchingOptions } from '../../parts/combobox.tsx'
import { Field } from '../../parts/field.tsx'
import { nameOf } from '../../parts/person.tsx'
import type { NewBug } from './new-bug.ts'

interface Props {
  products: readonly ListedProduct[]
  /** The one that is chosen, once it is read. */
  product: Product | undefined
  bug: NewBug
  onBug(bug: NewBug): void
  errorOf(name: string): string | undefined
}

/** Product and component, each with its description. */
export function Where({ products, product, bug, onBug, errorOf }: Props) {
  const productOptions = products.map(({ name, description }) => ({
    value: name,
    name,
    note: firstSentence(description),
  }))
  const components = (product?.components ?? []).filter(({ is_active }) => is_active)
  const componentOptions = components.map(({ name, description }) => ({
    value: name,
    name,
    note: firstSentence(description),
  }))
  const component = components.find(({ name }) => name === bug.component)
  useEffect(() => {
    if (component !== undefined) void loadPeople(peopleOf(component).filter((login) => login !== ''))
  }, [component])
  return (
    <div class="file-fields">
      <Field label="Product" isNeeded error={errorOf('product')}>
        {(ids) => (
          <Combobox
            {...ids}
            label="Product"
            value={bug.product}
            options={(text) => matchingOptions(productOptions, text)}
            source={products}
            onChoice={({ value }) =>
              onBug({ ...bug, product: value, component: '', version: '', groups: undefined, flags: [] })
            }
            placeholder="Choose a product"
          />
        )}
      </Field>
      <Field label="Component" isNeeded error={errorOf('component')} hint={component && componentHint(component)}>
        {(ids) => (
          <Combobox
            {...ids}
            label="Component"
            value={bug.component}
            options={(text) => matchingOptions(componentOptions, text)}
            source={product}
            onChoice={({ value }) => onBug({ ...bug, component: value })}
            placeholder={bug.product === '' ? 'Choose a product first' : 'Choose a component'}
          />
        )}
      </Field>
    </div>
  )
}

const LONGEST_NOTE = 60

function firstSentence(text: string) {
  const [first = ''] = text.split(/(?<=\.)\s/)
  return first.length > LONGEST_NOTE ? `${first.slice(0, LONGEST_NOTE)}…` : first
}

type Component = NonNullable<Product['components']>[number]

function peopleOf({ default_assigned_to: assignee, default_qa_contact: tester }: Component) {
  return [assignee, tester] as const
}

function componentHint(component: Component) {
  const [assignee, tester] = peopleOf(component).map((login) => login && nameOf(personBy(login)))
  return `Goes to ${assignee}${tester ? `, tested by ${tester}` : ''}.`
}
