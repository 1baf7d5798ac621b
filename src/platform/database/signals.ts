/** What a process can be woken for. */
export type SignalTopic = 'outbox' | 'events' | 'jobs'

/** Listeners in this process. A listener is only woken: it finds out by itself what there is to do. */
export class Signals {
  private readonly listeners = new Map<SignalTopic, Set<() => void>>()

  /** Answers how to stop. */
  listen(topic: SignalTopic, listener: () => void): () => void {
    const known = this.listeners.get(topic) ?? new Set()
    this.listeners.set(topic, known.add(listener))
    return () => void known.delete(listener)
  }

  ring(topic: SignalTopic) {
    for (const listener of this.listeners.get(topic) ?? []) listener()
  }

  /** When something may have been missed. */
  ringAll() {
    for (const topic of this.listeners.keys()) this.ring(topic)
  }
}

/** What a transaction tells once it has committed. */
export class Announcements {
  private readonly topics = new Set<SignalTopic>()

  add(topic: SignalTopic) {
    this.topics.add(topic)
  }

  ringIn(signals: Signals) {
    for (const topic of this.topics) signals.ring(topic)
  }
}
