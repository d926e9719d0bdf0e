-- Apart from 0022: this needs the table alone for a moment, and would deadlock with a decision that waits for 0022.
DROP INDEX "budget_sent_old";
