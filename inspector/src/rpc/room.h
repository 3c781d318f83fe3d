// rpc: requests as JSON-RPC 2.0
//
//   report.h    what GET gives
//   exchange.h  one request or a batch, and its answer
