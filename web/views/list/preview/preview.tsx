import { useEffect, useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Status } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { selectedBugs, showPreview } from '../state.ts'
import { LatestComments } from './preview-comments.tsx'
import { Facts, OtherValue } from './preview-facts.tsx'
import { Reply } from './preview-reply.tsx'

const FOLLOWS_MILLISECONDS = 80

interface Props {
  bug: Bug | undefined
  /** After a value was changed. */
  onSaved(id: number): void
  onMove(step: 1 | -1): void
  onSelect(bug: Bug): void
}

/** The current bug beside the list. It follows a moment later, so that moving through the list stays quick. */
export function Preview({ bug, onSaved, onMove, onSelect }: Props) {
  const [shown, setShown] = useState(bug)
  useEffect(() => {
    const timer = setTimeout(() => setShown(bug), FOLLOWS_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [bug])
  if (shown === undefined)
    return (
      <aside class="preview" aria-label="Preview">
        <p class="preview-body faint">
          <kbd>J</kbd> and <kbd>K</kbd> move through the list. The bug is shown here.
        </p>
      </aside>
    )
  return (
    <aside class="preview" aria-label={`Preview of bug ${shown.id}`}>
      <div class="preview-head">
        <span class="cell-id">{shown.id}</span>
        <Status value={shown.status} isOpen={shown.is_open} />
        <span class="align-end row preview-actions">
          {me.value !== undefined && (
            <IconButton
              name="Select"
              icon="task"
              shortcut="x"
              size="small"
              isPressed={selectedBugs.value.has(shown.id)}
              onClick={() => onSelect(shown)}
            />
          )}
          <IconButton name="Previous" icon="up" shortcut="k" size="small" onClick={() => onMove(-1)} />
          <IconButton name="Next" icon="down" shortcut="j" size="small" onClick={() => onMove(1)} />
          <a class="button button-small" href={hrefOf(bugAddress(shown.id))}>
            Open
          </a>
          <IconButton
            name="Close the preview"
            icon="x"
            shortcut="Esc"
            size="small"
            onClick={() => showPreview(false)}
          />
        </span>
      </div>
      <Content key={shown.id} bug={shown} onSaved={() => onSaved(shown.id)} />
    </aside>
  )
}

function Content({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
  const [sent, setSent] = useState(0)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section class="preview-body" tabIndex={0} aria-label={`Bug ${bug.id}`}>
        <h2 class="preview-title" dir="auto">
          {bug.summary}
        </h2>
        {bug.groups.length > 0 && (
          <div class="preview-access secret small">
            <Icon name="lock" size="small" /> Only {bug.groups.join(', ')} and those involved
          </div>
        )}
        <OtherValue bug={bug} onSaved={onSaved} />
        <Facts bug={bug} onSaved={onSaved} />
        <LatestComments bug={bug} sent={sent} />
      </section>
      {me.value !== undefined && <Reply bug={bug} onSent={() => setSent(sent + 1)} />}
    </>
  )
}
