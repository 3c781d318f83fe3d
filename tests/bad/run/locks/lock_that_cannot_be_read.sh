lock() { printf "$1" > tiny.lock; $KIN check tiny.yaml; }
lock ''
lock 'kin lock 4\npackage tiny version 0\n'
lock 'kin lock 1\n'
lock 'kin lock 1\npackage other version 0\n'
lock 'kin lock 1\npackage tiny version 0\npackage tiny\n'
lock 'kin lock 1\npackage tiny version 0\nA game\nB game int33\nC game int8 = D.e\nD.. game int8\nE  game\nF game int8 left\n\nG game int8|int16\nH game= int8\n'
lock 'kin lock 3\npackage tiny version 0\ncondition game.A.x\ncondition game.A.x !,B\ncondition game.A.x B||C\ninbox A.M\ninbox A.M 0\ninbox A.M -1\nmessage_range M.x 0\n'
lock 'kin lock 1\npackage tiny version 0\n<<<<<<< HEAD\nA game flag\n=======\nB game flag\n>>>>>>> branch\n'
