/** Few pages need it, so that it is no part of the icons that every page loads. */
export function AgentIcon() {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
        <rect x="3" y="5.5" width="10" height="7" rx="1.75" />
        <path d="M8 5.5V3M6 8.75v.5M10 8.75v.5M1.5 8.5v1.5M14.5 8.5v1.5" />
      </g>
    </svg>
  )
}
