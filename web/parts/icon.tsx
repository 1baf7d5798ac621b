import icons from '../style/icons.svg'

const address = new URL(icons, import.meta.url).href

interface Props {
  name: string
  size?: 'small' | 'tiny'
}

/** One of the icons of style/icons.svg. It is decoration: the word beside it, or the name of the button, says the same. */
export function Icon({ name, size }: Props) {
  return (
    <svg class={size === undefined ? 'icon' : `icon icon-${size}`} aria-hidden="true">
      <use href={`${address}#i-${name}`} />
    </svg>
  )
}
