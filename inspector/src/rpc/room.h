// rpc: requests as JSON-RPC 2.0
//
//   exchange.h  one request or a batch, and its answer
