cat > tiny.lock << 'END'
kin lock 1
package tiny version 3
package tiny version 4
Frozen game flag
Frozen game flag
Health.hp game int16
Health.hp game int32
Speed.x game float = Velocity.x
Speed.y game float = Motion.y
END
$KIN check tiny.yaml
