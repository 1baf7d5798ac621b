import { useState } from 'preact/hooks'
import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'
import { findField } from '../../../shared/bug-fields/field-names.ts'
import { MORE_FORM } from '../../core/bugs/field-places.ts'
import { displayOf } from '../../core/bugs/fields.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import type { Product } from '../../core/server/types.ts'
import { Icon } from '../../parts/icon.tsx'
import type { FieldsProps } from './fields.tsx'
import { FormField } from './form-field.tsx'
import { Requests } from './requests.tsx'

/** Fields that most bugs leave as they are. They open when one of them is refused. */
export function MoreFields(props: FieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const isRefused = [...MORE_FORM, 'flags'].some((name) => props.errorOf(name) !== undefined)
  const { can_edit: canEdit = false, can_track_time: canTrack = false } = props.product?.filing ?? {}
  const names = [
    'Hardware, milestone',
    ...(canEdit ? ['assignee'] : []),
    'CC, keywords',
    ...(canEdit ? ['depends on, blocks'] : []),
    ...(canTrack ? ['deadline, hours'] : []),
    'URL, alias, requests',
  ]
  return (
    <details class="file-more" open={isOpen || isRefused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" size="small" />
        <b class="nowrap">More fields</b> <span class="faint truncated">{names.join(', ')}</span>
      </summary>
      <div class="file-fields">
        {MORE_FORM.filter((name) => isShownField(name) && mayChoose(name, props.product)).map((name) => (
          <FormField key={name} {...props} name={name} />
        ))}
      </div>
      <Requests {...props} error={props.errorOf('flags')} />
    </details>
  )
}

/** Whether the reader can set the field of a new bug. For others it has its usual value. */
function mayChoose(name: FieldName, product: Product | undefined) {
  const { can_edit: canEdit = false, can_track_time: canTrack = false } = product?.filing ?? {}
  const chosenBy = findField(name)?.chosenBy
  if (chosenBy === 'time trackers') return canTrack
  return canEdit || (chosenBy !== 'editors' && !displayOf(name).form?.isForEditors)
}
