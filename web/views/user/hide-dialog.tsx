import { useEffect, useState } from 'preact/hooks'
import { PRODUCTS_CALL, productCall } from '../../../shared/first-calls.ts'
import { post } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { type ActivityCounts, countsInWords, countsOf, type UserActivity } from './activity-counts.ts'

interface Props {
  id: number
  name: string
  days: string
  activity: UserActivity
  onDone(step: ActivityCounts & { id: number }): void
  onClose(): void
}

/** Says what is hidden and how, and asks where the bugs go. */
export function HideDialog({ id, name, days, activity, onDone, onClose }: Props) {
  const [product, setProduct] = useState('')
  const { body: all } = useData(PRODUCTS_CALL)
  const products = (all?.products ?? []).map((it) => ({ value: it.name ?? '', name: it.name ?? '' }))
  const [location, setLocation] = useState<{ component: string; version: string }>()
  const { submit, isBusy, fault } = useSubmit(async () => {
    const where = product === '' ? {} : { product, ...location }
    onDone(await post('/user/:ref/activity/hide', { ref: id, days: Number(days), ...where }))
  })
  const counts = countsOf(activity)
  return (
    <Dialog title="Hide what this account wrote" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          <bdi>{name}</bdi>: {countsInWords(counts)}.
        </p>
        <p class="muted">
          Comments get the tag spam and are collapsed, attachments become obsolete, and bugs move to the product that
          you choose. You can undo it. The account itself is not disabled.
        </p>
        {counts.bugs > 0 && (
          <SelectField
            label="Move the bugs to"
            value={product}
            options={[{ value: '', name: 'They stay where they are' }, ...products]}
            onChoice={setProduct}
          />
        )}
        {product !== '' && <Where key={product} product={product} onChoice={setLocation} />}
        {fault !== undefined && (
          <p class="error" role="alert">
            {fault.message}
          </p>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" isBusy={isBusy}>
            Hide it all
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The component and the version in the new product. The first ones are chosen. */
function Where({
  product,
  onChoice,
}: {
  product: string
  onChoice(location: { component: string; version: string }): void
}) {
  const { body } = useData(productCall(product))
  const [found] = body?.products ?? []
  const components = (found?.components ?? []).flatMap(({ name }) => name ?? [])
  const versions = (found?.versions ?? []).flatMap(({ name }) => name ?? [])
  const [chosen, setChosen] = useState<{ component?: string; version?: string }>({})
  const current = {
    component: chosen.component ?? components[0] ?? '',
    version: chosen.version ?? versions[0] ?? '',
  }
  const choose = (next: { component?: string; version?: string }) => {
    setChosen({ ...chosen, ...next })
    onChoice({ ...current, ...next })
  }
  useEffect(() => {
    if (found !== undefined) onChoice(current)
  }, [found])
  const options = (names: readonly string[]) => names.map((name) => ({ value: name, name }))
  return (
    <>
      <SelectField
        label="Component"
        value={current.component}
        options={options(components)}
        onChoice={(component) => choose({ component })}
      />
      <SelectField
        label="Version"
        value={current.version}
        options={options(versions)}
        onChoice={(version) => choose({ version })}
      />
    </>
  )
}
