/** What a webhook can be told of: the names of `server/events.ts`. */
export default defineNuxtPlugin(() => {
  useEventNames().add('budget', [
    'budget.sent', 'budget.viewed', 'budget.accepted', 'budget.rejected', 'budget.reminder_sent', 'budget.signed_pdf_ready',
    'budget.expired', 'budget.cancelled', 'budget.superseded'
  ])
})
