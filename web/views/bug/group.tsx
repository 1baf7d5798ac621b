import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'

/** A group of fields. Whether it is folded is remembered. */
export function Group({
  title,
  count,
  children,
}: {
  title: string
  count?: ComponentChildren
  children: ComponentChildren
}) {
  const key = `lacewing folded ${title}`
  const [isOpen] = useState(() => localStorage.getItem(key) === null)
  return (
    <details
      class="property-group"
      open={isOpen}
      onToggle={(event) => {
        if (event.currentTarget.open) localStorage.removeItem(key)
        else localStorage.setItem(key, '1')
      }}
    >
      <summary>
        <Icon name="right" size="small" />
        <h2>{title}</h2>
        {count}
      </summary>
      {children}
    </details>
  )
}
