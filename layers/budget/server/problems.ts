import type { ProblemTable } from '@svc/kit'

/** Problems for staff. */
const staff: ProblemTable = {
  discount_exceeds_total: {
    status: 422,
    title: 'Discount too large',
    detail: 'The discount is larger than the total.'
  },
  no_lines: {
    status: 409,
    title: 'No treatments',
    detail: 'This budget has no treatments yet. Add one before you send it.'
  },
  no_professional: {
    status: 409,
    title: 'No clinician',
    detail: 'This budget has no clinician yet. Choose one before you send it.'
  },
  validity_passed: {
    status: 409,
    title: 'Validity passed',
    detail: 'The last valid day of this budget has passed. Set a later one before you send it.'
  },
  no_code: { status: 409, title: 'No code', detail: 'This budget has no code yet. Set one first.' },
  patient_erased: {
    status: 409,
    title: 'Patient data erased',
    detail: 'The patient\'s data was erased. The budget can no longer change.'
  },
  already_withdrawn: {
    status: 409,
    title: 'Already withdrawn',
    detail: 'This acceptance was already withdrawn.'
  },
  no_email: {
    status: 422,
    title: 'No email address',
    detail: 'The patient has no email address. Add one, or hand over the link yourself.'
  },
  channel_not_ready: {
    status: 422,
    title: 'Channel not ready',
    detail: 'The link can’t be sent by this channel now. Choose another one, or hand over the link yourself.'
  },
  address_changed: {
    status: 409,
    title: 'Address changed',
    detail: 'The patient’s email address changed after this link was sent. Confirm the new one to send the link to it.'
  },
  message_contains_code: {
    status: 422,
    title: 'Message contains the code',
    detail: 'The message contains the code. Send the code separately.'
  }
}

/** Problems for patients. */
const patient: ProblemTable = {
  link_not_found: {
    status: 404,
    title: 'Link not found',
    detail: 'This link is not valid. Ask the clinic for a new one.'
  },
  code_required: { status: 401, title: 'Code required', detail: 'Enter the code that the clinic gave you.' },
  code_wrong: { status: 401, title: 'Wrong code', detail: 'This code is wrong.' },
  link_locked: {
    status: 423,
    title: 'Link locked',
    detail: 'There were too many wrong codes. Try again later, or call the clinic.'
  },
  same_channel: {
    status: 409,
    title: 'Same channel as the link',
    detail: 'The link was sent to the same place, so a code can’t be sent there. Call the clinic.'
  },
  code_unavailable: {
    status: 409,
    title: 'Code can’t be sent',
    detail: 'The clinic can’t send you a code right now. Call the clinic.'
  },
  already_decided: { status: 409, title: 'Already decided', detail: 'This budget has already been accepted or declined.' },
  content_changed: {
    status: 409,
    title: 'Content changed',
    detail: 'The budget changed since this page was loaded. Reload it before you decide.'
  },
  selection_incomplete: {
    status: 422,
    title: 'Choice missing',
    detail: 'The selection is incomplete or unknown. Answer each choice, and choose at least one treatment.'
  },
  budget_expired: {
    status: 410,
    title: 'Expired',
    detail: 'This budget has expired. Ask the clinic for a new one.'
  },
  budget_superseded: {
    status: 410,
    title: 'Replaced',
    detail: 'A newer version replaced this budget. Use the newer link, or call the clinic.'
  },
  budget_cancelled: {
    status: 410,
    title: 'Cancelled',
    detail: 'The clinic cancelled this budget. Call the clinic if you have questions.'
  }
}

/** Problems of stored documents. */
const documents: ProblemTable = {
  not_signed: {
    status: 404,
    title: 'Not signed',
    detail: 'There is no signed copy, because this budget was not accepted.'
  },
  signed_pdf_pending: {
    status: 404,
    title: 'Being prepared',
    detail: 'The signed copy is being prepared. Try again in a few seconds.'
  },
  content_tampered: {
    status: 500,
    title: 'Budget damaged',
    detail: 'This budget no longer matches what was sent, so it isn’t shown. Call the clinic.'
  },
  fingerprint_mismatch: {
    status: 500,
    title: 'Document damaged',
    detail: 'The stored document no longer matches its fingerprint, so it can’t be downloaded. Call the clinic.'
  }
}

export const problems: ProblemTable = { ...staff, ...patient, ...documents }
