import { useState } from 'preact/hooks'
import { filingCall } from '../../../../shared/first-calls.ts'
import type { Field } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Icon } from '../../../parts/icon.tsx'
import { CustomField } from '../../file/custom-field.tsx'
import { Choice, MainFields, setterOf } from '../../file/fields.tsx'
import { customFieldsFor, emptyBug, type NewBug } from '../../file/new-bug.ts'
import { ruleInWords } from './field-words.ts'

interface Props {
  /** With the changes that are not saved. */
  fields: readonly Field[]
  products: readonly string[]
  /** The field that is edited: it is marked. */
  current: string | undefined
}

const NO_ERROR = () => undefined

/** The form with the present changes, made of the parts of the real one. It files nothing. */
export function FormPreview({ fields, products, current }: Props) {
  const [bug, setBug] = useState<NewBug>(emptyBug)
  const [isFiled, setFiled] = useState(false)
  const chosen = bug.product || (products[0] ?? '')
  const { body } = useData(chosen === '' ? undefined : filingCall(chosen))
  const product = body?.products[0]
  const component = product?.components.find((it) => it.name === bug.component) ?? product?.components[0]
  const used = fields.filter((it) => !it.is_obsolete)
  const filled: NewBug = {
    ...bug,
    product: chosen,
    component: component?.name ?? '',
  }
  const asked = isFiled ? used.map((it) => ({ ...it, is_on_bug_entry: true })) : used
  const custom = customFieldsFor(filled, { fields: asked, product })
  const missing = used.filter((it) => it.is_custom && !custom.some(({ name }) => name === it.name))
  const props = { bug: filled, onBug: setBug, product, fields: used, errorOf: NO_ERROR }
  const own = custom.find((it) => it.name === current)
  return (
    <aside class="form-preview" id="form-preview" aria-label="Preview of the form">
      <h2>
        <Icon name="eye" />
        Preview: {isFiled ? 'a bug' : 'filing a bug'}
      </h2>
      <div class="form-preview-card">
        <div class="form-preview-choices">
          <select
            class="input select"
            aria-label="Preview of"
            value={isFiled ? 'bug' : 'filing'}
            onChange={(event) => setFiled(event.currentTarget.value === 'bug')}
          >
            <option value="filing">filing a bug</option>
            <option value="bug">a bug that is filed</option>
          </select>
          <span class="muted">in</span>
          <select
            class="input select"
            aria-label="Preview in the product"
            value={chosen}
            onChange={(event) => setBug({ ...bug, product: event.currentTarget.value, component: '', version: '' })}
          >
            {products.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <select
            class="input select"
            aria-label="Preview in the component"
            value={component?.name ?? ''}
            onChange={(event) => setBug({ ...bug, component: event.currentTarget.value })}
          >
            {(product?.components ?? []).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="stack form-preview-fields">
          {isFiled && (
            <div class="file-fields">
              <Choice {...props} name="status" />
              <Choice {...props} name="resolution" />
            </div>
          )}
          {own !== undefined && (
            <div class="form-preview-own">
              <CustomField
                field={own}
                bug={filled}
                context={props}
                onValue={setterOf({ bug, onBug: setBug })(own.name)}
                error={undefined}
              />
              {own.description && (
                <div class="hint" dir="auto">
                  {own.description}
                </div>
              )}
            </div>
          )}
          <MainFields {...props} custom={custom.filter((it) => it !== own)} />
          <Because shown={custom} missing={missing} fields={fields} isFiled={isFiled} />
          <p class="faint small">A preview: nothing is filed.</p>
        </div>
      </div>
    </aside>
  )
}

interface BecauseProps {
  shown: readonly Field[]
  missing: readonly Field[]
  fields: readonly Field[]
  isFiled: boolean
}

/** Why custom fields appear, or do not. */
function Because({ shown, missing, fields, isFiled }: BecauseProps) {
  const ruled = shown.filter((it) => it.visibility_field !== null)
  return (
    <ul class="hint form-preview-because">
      {ruled.map((it) => (
        <li key={it.name} dir="auto">
          <bdi>{it.display_name}</bdi> appears because {ruleInWords(fields, it)}.
        </li>
      ))}
      {missing.map((it) => (
        <li key={it.name} dir="auto">
          <bdi>{it.display_name}</bdi>{' '}
          {!isFiled && !it.is_on_bug_entry
            ? 'is not shown when filing.'
            : `is not shown: only if ${ruleInWords(fields, it)}.`}
        </li>
      ))}
    </ul>
  )
}
