/** Comments on bugs, by occasion. */
export const remarks = {
  question: [
    'Which version is that, and does it happen every time?',
    'Can you attach the log from the time when it happened?',
    'Is that one station or several? The serial numbers would help.',
    'I cannot reproduce this. What exactly did you do before?',
    'Does it also happen after a restart?',
  ],
  answer: [
    'It happens every time, since the last update.',
    'Several. I have written the numbers down and will send them.',
    'Only in the morning, when it is cold.',
    'Yes, also after a restart.',
    'Here it is. It happened around the middle of the file.',
    'We have three of them, and all three do it.',
  ],
  triage: [
    'Confirmed here.',
    'I see it as well, with the newest version.',
    'Reproduced in the lab.',
    'Two more customers have called about this.',
    'Thank you for the clear description.',
  ],
  work: [
    'I know where this is. It will take a day or two.',
    'Working on it.',
    'It is not where I thought. More tomorrow.',
    'I have a test that fails because of this now.',
    'This is older than it looks: 1.9 has it as well.',
  ],
  talk: [
    'Any news?',
    'Same here.',
    'We have a workaround: switch it off and on again at noon.',
    'This also came up in the meeting on Monday.',
    'For the record: the help desk gets about two calls a week about this.',
    'Can this still go into the next release?',
    'I measured it again, with the same result.',
    'The customer is patient, but asks once a week.',
  ],
  private: [
    'The customer has threatened to send all of them back. Please do not mention that outside.',
    'This costs us about 40 euros for each station.',
    'We should tell the distributor before we tell everybody.',
  ],
  waiting: ['We wait for a part from the supplier.', 'Waiting for the answer of the maker of the chip.'],
  fixed: [
    'Fixed.',
    'Fixed, with a test.',
    'Done. It will be in the next release.',
    'Fixed for all versions that we support.',
  ],
  verified: ['Works now.', 'Verified in the lab.', 'Two weeks in the field without it. Good.'],
  reopened: ['It happened again this morning.', 'Not quite: it still happens with the old sensor.'],
  review: ['Looks good.', 'Good. One name is misleading, but that need not stop it.', 'Yes, please.'],
  refusal: ['This breaks the old sensor. Please look at the second case as well.', 'Not without a test.'],
  WONTFIX: [
    'We will not change this: it would cost more than it helps.',
    'The product ends next year; this stays as it is.',
  ],
  INVALID: ['This is how it should be. The guide explains it on page 4.', 'It turned out to be the cable.'],
  WORKSFORME: ['I have tried for two days and cannot make it happen.', 'It seems to be gone with the newest version.'],
  returned: ['A new one is on its way.', 'Repaired and sent back.', 'Refunded.'],
} as const

export type Occasion = keyof typeof remarks
