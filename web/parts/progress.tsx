interface Props {
  done: number
  all: number
  /** The text for screen readers. */
  label: string
}

export function Progress({ done, all, label }: Props) {
  const share = all === 0 ? 0 : Math.min(100, Math.round((done / all) * 100))
  return (
    <svg class="progress" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect width={share} height="6" />
    </svg>
  )
}
